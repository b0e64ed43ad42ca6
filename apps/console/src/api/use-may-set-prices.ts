import { isRoot } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { ownAreasQuery } from './own-areas.ts'
import { useSession } from './session.ts'

/** True for the super admin and for administrators with the settings area `prices`. */
export function useMaySetPrices(): boolean {
  const mayChangeAll = useSession(({ user }) => isRoot(user?.role ?? 0))
  const { data: areas = [] } = useQuery({ ...ownAreasQuery, enabled: !mayChangeAll })
  return mayChangeAll || areas.includes('prices')
}
