import { isRoot } from '@tidegate/contract/api'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { ownAreasQuery } from '../lib/own-areas.ts'
import { useSession } from '../lib/session.ts'

/** A link to the prices for the super admin and for administrators with the settings area `prices`. */
export function PricesLink({ text }: { text: string }) {
  const mayChangeAll = useSession(({ user }) => isRoot(user?.role ?? 0))
  const { data: areas = [] } = useQuery({ ...ownAreasQuery, enabled: !mayChangeAll })
  if (!mayChangeAll && !areas.includes('prices')) return null
  return <Link to="/admin/settings?tab=operation#prices">{text}</Link>
}
