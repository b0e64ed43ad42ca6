/** What Amazon calls the models, where a region may also go by its neighbours. */
const NAMES: Readonly<Record<string, { readonly name: string; readonly across?: readonly Area[] }>> = {
  'claude-instant-1.2': { name: 'anthropic.claude-instant-v1' },
  'claude-2.0': { name: 'anthropic.claude-v2' },
  'claude-2.1': { name: 'anthropic.claude-v2:1' },
  'claude-3-sonnet-20240229': { name: 'anthropic.claude-3-sonnet-20240229-v1:0', across: ['us', 'eu', 'apac'] },
  'claude-3-opus-20240229': { name: 'anthropic.claude-3-opus-20240229-v1:0', across: ['us'] },
  'claude-3-haiku-20240307': { name: 'anthropic.claude-3-haiku-20240307-v1:0', across: ['us', 'eu', 'apac'] },
  'claude-3-5-sonnet-20240620': { name: 'anthropic.claude-3-5-sonnet-20240620-v1:0', across: ['us', 'eu', 'apac'] },
  'claude-3-5-sonnet-20241022': { name: 'anthropic.claude-3-5-sonnet-20241022-v2:0', across: ['us', 'apac'] },
  'claude-3-5-haiku-20241022': { name: 'anthropic.claude-3-5-haiku-20241022-v1:0', across: ['us'] },
  'claude-3-7-sonnet-20250219': { name: 'anthropic.claude-3-7-sonnet-20250219-v1:0', across: ['us', 'eu', 'apac'] },
  'claude-sonnet-4-20250514': { name: 'anthropic.claude-sonnet-4-20250514-v1:0', across: ['us', 'eu', 'apac'] },
  'claude-opus-4-20250514': { name: 'anthropic.claude-opus-4-20250514-v1:0', across: ['us'] },
}

type Area = 'us' | 'eu' | 'apac'

const AREAS: Readonly<Record<string, Area>> = { us: 'us', eu: 'eu', ap: 'apac' }

/** A name we do not know is taken for one of Amazon's own. */
export function amazonName(model: string, region: string): string {
  const known = Object.hasOwn(NAMES, model) ? NAMES[model] : undefined
  if (!known) return model
  const area = AREAS[region.split('-')[0] ?? '']
  return area && known.across?.includes(area) ? `${area}.${known.name}` : known.name
}
