import { AREAS, scopeOf, type Area } from './areas.ts'
import { ENDPOINTS } from './endpoints.ts'
import { ROLES, type RoleName } from './roles.ts'

export interface Scope {
  readonly scope: string
  readonly area: Area
  /** The least role to which it opens anything. */
  readonly role: RoleName
}

/** Every scope that opens a call, by area, reading before writing. */
export const SCOPES: readonly Scope[] = (Object.keys(AREAS) as Area[]).flatMap((area) =>
  ['read', 'write'].flatMap((level) => {
    const scope = `${area}:${level}`
    const opened = ENDPOINTS.filter(({ endpoint }) => scopeOf(endpoint) === scope)
    const roles = opened.map(({ endpoint }) => endpoint.access as RoleName)
    const [role] = roles.toSorted((a, b) => ROLES[a] - ROLES[b])
    return role === undefined ? [] : [{ scope, area, role }]
  }),
)
