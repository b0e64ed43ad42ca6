import type { OptionKey } from './options/registry.ts'

/**
 * Settings areas that the super admin can grant to administrators, with their options. No area contains secrets or
 * options of sign-in, payment, mail or permissions.
 */
export const SETTINGS_AREAS = {
  prices: [
    'ModelRates',
    'ModelPrice',
    'ModelRatio',
    'CompletionRatio',
    'CacheRatio',
    'fallback_pricing_enabled',
    'fallback_single_price',
    'fallback_input_ratio',
    'fallback_completion_ratio',
    'redirect_billing_enabled',
  ],
  groups: ['GroupRatio', 'UserUsableGroups', 'AutoGroups', 'DefaultUseAutoGroup'],
  rate_limits: [
    'ModelRequestRateLimitEnabled',
    'ModelRequestRateLimitDurationMinutes',
    'ModelRequestRateLimitCount',
    'ModelRequestRateLimitSuccessCount',
    'global.rate_limit_exempt_enabled',
    'global.rate_limit_exempt_group',
  ],
  announcements: ['Notice'],
} as const satisfies Readonly<Record<string, readonly OptionKey[]>>

export type SettingsArea = keyof typeof SETTINGS_AREAS

export const SETTINGS_AREA_NAMES = Object.keys(SETTINGS_AREAS) as SettingsArea[]

/** The options of the given areas. Unknown area names are ignored. */
export function optionsOfAreas(areas: readonly string[]): ReadonlySet<string> {
  return new Set(SETTINGS_AREA_NAMES.filter((area) => areas.includes(area)).flatMap((area) => SETTINGS_AREAS[area]))
}

/** Role numbers of the API. A higher role includes the lower ones. */
export const ROLES = { user: 1, admin: 10, root: 100 } as const

export type RoleName = keyof typeof ROLES
export type Role = (typeof ROLES)[RoleName]

export const isAdmin = (role: number) => role >= ROLES.admin
export const isRoot = (role: number) => role >= ROLES.root
