import { z } from 'zod'
import { endpoint } from '../../endpoint.ts'

/** A target of a virtual model; the highest priority wins, equal priorities alternate. */
export const MappingTarget = z.object({ model: z.string(), priorities: z.int() })
export type MappingTarget = z.output<typeof MappingTarget>

/** Virtual models and their targets. */
export const VirtualModels = z.object({ mapping: z.record(z.string(), z.array(MappingTarget)) })
export type VirtualModels = z.output<typeof VirtualModels>

/** Accepts any JSON: the operation returns HTTP 400 with a specific error. */
const body = z.unknown().meta({
  type: 'object',
  properties: {
    mapping: {
      type: 'object',
      additionalProperties: {
        type: 'array',
        items: {
          type: 'object',
          properties: { model: { type: 'string' }, priorities: { type: 'integer', minimum: 0 } },
          required: ['model'],
        },
      },
    },
  },
  required: ['mapping'],
})

const MAPPING_ERRORS = [
  'model_mapping_malformed',
  'model_mapping_name_required',
  'model_mapping_name_invalid',
  'model_mapping_targets_required',
  'model_mapping_target_blank',
  'model_mapping_target_repeated',
  'model_mapping_target_virtual',
  'model_mapping_priority_invalid',
] as const

export const getModelMapping = endpoint({
  versioned: true,
  method: 'GET',
  path: '/api/model_mapping',
  access: 'admin',
  summary: 'Returns the virtual models and their targets.',
  reply: VirtualModels,
  errors: [],
})

export const updateModelMapping = endpoint({
  versioned: true,
  method: 'PUT',
  path: '/api/model_mapping',
  access: 'admin',
  summary:
    'Replaces all virtual models and restarts round robin. An invalid mapping returns HTTP 400 and changes nothing.',
  body,
  reply: z.undefined(),
  errors: MAPPING_ERRORS,
})

export const reloadModelMapping = endpoint({
  method: 'POST',
  path: '/api/model_mapping/reload',
  access: 'admin',
  summary: 'Makes every node reload the stored mapping.',
  reply: z.undefined(),
  errors: ['model_mapping_unreadable'],
})

export const getModelMappingConfig = endpoint({
  versioned: true,
  method: 'GET',
  path: '/api/model_mapping/config',
  access: 'admin',
  summary: 'Returns the stored document with the same mapping.',
  reply: VirtualModels,
  errors: [],
})

export const updateModelMappingConfig = endpoint({
  versioned: true,
  method: 'PUT',
  path: '/api/model_mapping/config',
  access: 'admin',
  summary: 'Replaces the stored document, with the same rules.',
  body,
  reply: z.undefined(),
  errors: MAPPING_ERRORS,
})
