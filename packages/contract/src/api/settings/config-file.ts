import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'

/** Changes by a configuration file in one option, in the virtual models or in one channel. */
export const ConfigChange = z.object({
  /** A field of a channel or a name in a map; blank if the whole value changes. */
  field: z.string(),
  /** Null if there was no value, or if it is a secret. */
  before: z.string().nullable(),
  after: z.string().nullable(),
  secret: z.boolean(),
})
export type ConfigChange = z.output<typeof ConfigChange>

export const ConfigItem = z.object({
  kind: z.enum(['option', 'models', 'channel']),
  /** Key of an option or name of a channel; blank for virtual models. */
  name: z.string(),
  action: z.enum(['create', 'update', 'delete', 'unchanged']),
  changes: z.array(ConfigChange),
})
export type ConfigItem = z.output<typeof ConfigItem>

/** All items of the file in order, with the planned action. */
export const ConfigPlan = z.object({
  /** Version of the site when the plan was made; `applyConfig` rejects a plan for another version. */
  version: z.int(),
  items: z.array(ConfigItem),
})
export type ConfigPlan = z.output<typeof ConfigPlan>

/** A problem in a file, its location, and how to fix it in both languages. */
export const ConfigProblem = z.object({ line: z.int(), place: z.string(), zh: z.string(), en: z.string() })
export type ConfigProblem = z.output<typeof ConfigProblem>

export const SHORTEST_PASSPHRASE = 8
const passphrase = z.string().min(SHORTEST_PASSPHRASE).max(1024).optional()
const file = { yaml: z.string().max(4_000_000), passphrase, prune: z.boolean().default(false) }

export const exportConfig = endpoint({
  method: 'POST',
  path: '/api/config/export',
  access: 'root',
  summary:
    'Exports changed options, virtual models and channels as one YAML file. Includes secrets and channel keys only with a `passphrase`, encrypted with it.',
  body: z.object({ passphrase }),
  reply: z.object({ yaml: z.string() }),
  errors: ['proof_required'],
})

export const planConfig = endpoint({
  method: 'POST',
  path: '/api/config/plan',
  access: 'root',
  summary:
    'Returns what applying a file would change. An invalid file is rejected with all problems by line. `prune` also deletes channels that the file does not name.',
  body: z.object(file),
  reply: ConfigPlan,
  errors: ['config_file_invalid', 'proof_required'],
})

export const applyConfig = endpoint({
  method: 'POST',
  path: '/api/config/apply',
  access: 'root',
  summary: 'Applies a whole file or nothing, if the site has not changed since the plan. Returns the changes.',
  proof: 'orToken',
  body: z.object({ ...file, expect_version: z.int() }),
  reply: ConfigPlan,
  errors: [
    'config_file_invalid',
    'config_changed_meanwhile',
    'policy_needs_own_factor',
    'policy_excludes_own_address',
    'egress_not_allowed',
  ],
})
