import type { Target } from '../../provider.ts'

const USUAL = 'v2.1'

/** Every version has an address of its own, and a name for it that the request must repeat. */
const DOMAINS: Readonly<Record<string, string>> = {
  'v1.1': 'lite',
  'v2.1': 'generalv2',
  'v3.1': 'generalv3',
  'v3.5': 'generalv3.5',
  'v4.0': '4.0Ultra',
}

/** The one at the end of the model's name, else the channel's. */
export function versionOf({ model, other = '' }: Pick<Target, 'model' | 'other'>): string {
  return /-(v\d+\.\d+)$/i.exec(model)?.[1]?.toLowerCase() ?? (other.trim().toLowerCase() || USUAL)
}

export function domainOf(version: string): string {
  return DOMAINS[version] ?? `general${version}`
}

/** Older versions know no instructions apart from what the user says. */
export function takesInstructions(version: string): boolean {
  return Number(version.slice(1)) >= 3.5
}
