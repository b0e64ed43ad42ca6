import { readFile } from 'node:fs/promises'
import { parse, YAMLParseError } from 'yaml'
import { z } from 'zod'
import { InputError } from '../../errors.ts'

const Cost = z.coerce.number().nonnegative().optional().catch(undefined)
const OptionalText = z.coerce.string().optional()

/** The parameters that are read. All others are reported. */
const Params = z.looseObject({
  model: z.string(),
  api_key: OptionalText,
  api_base: OptionalText,
  base_url: OptionalText,
  api_version: OptionalText,
  organization: OptionalText,
  weight: z.coerce.number().optional().catch(undefined),
  order: z.coerce.number().optional().catch(undefined),
  input_cost_per_token: Cost,
  output_cost_per_token: Cost,
  aws_access_key_id: OptionalText,
  aws_secret_access_key: OptionalText,
  aws_region_name: OptionalText,
  vertex_location: OptionalText,
  vertex_credentials: z.unknown().optional(),
})

const Deployment = z.object({
  model_name: z.string(),
  litellm_params: Params,
  model_info: z
    .looseObject({ input_cost_per_token: Cost, output_cost_per_token: Cost })
    .nullish()
    .transform((info) => info ?? {}),
})
export type Deployment = z.output<typeof Deployment>

const Settings = z
  .record(z.string(), z.unknown())
  .nullish()
  .transform((settings) => settings ?? {})

const Config = z.looseObject({
  model_list: z
    .array(Deployment)
    .nullish()
    .transform((list) => list ?? []),
  router_settings: Settings,
  litellm_settings: Settings,
  general_settings: Settings,
})
export type Config = z.output<typeof Config>

/** Reads a LiteLLM `config.yaml`. Errors name the position. */
export async function readConfig(path: string): Promise<Config> {
  const yaml = await readFile(path, 'utf8').catch((error: Error) => {
    throw new InputError(`${path}: ${error.message}`)
  })
  try {
    return Config.parse(parse(yaml) ?? {})
  } catch (error) {
    if (error instanceof YAMLParseError) throw new InputError(`${path}: ${error.message}`)
    if (!(error instanceof z.ZodError)) throw error
    const [issue] = error.issues
    throw new InputError(`${path}: ${issue!.path.join('.') || 'the file'}: ${issue!.message}`)
  }
}
