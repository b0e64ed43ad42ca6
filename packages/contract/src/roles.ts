/** Role numbers of the API. A higher role includes the lower ones. */
export const ROLES = { user: 1, admin: 10, root: 100 } as const

export type RoleName = keyof typeof ROLES
export type Role = (typeof ROLES)[RoleName]

export const isAdmin = (role: number) => role >= ROLES.admin
export const isRoot = (role: number) => role >= ROLES.root
