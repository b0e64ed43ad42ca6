import { useSession } from '../../lib/session.ts'

/** Somebody who is not logged in sees what a new user would. */
const GROUP_OF_STRANGERS = 'default'

/** Who looks at the prices. */
export function useReader(): { userId: number | null; ownGroup: string } {
  const user = useSession((session) => session.user)
  return { userId: user?.id ?? null, ownGroup: user?.group || GROUP_OF_STRANGERS }
}
