import { z } from 'zod'
import { json, namedMap, namedMapSchema, type NamedMap } from '../define-json.ts'

const mapping = { tab: 'models', section: 'mapping' } as const

/** A model a virtual name stands for; the highest number wins, equal ones take turns. */
export interface MappingTarget {
  model: string
  priorities: number
}

export interface ModelMapping {
  mapping: NamedMap<MappingTarget[]>
}

const target = z.object({ model: z.string().trim().min(1).max(256), priorities: z.int().nonnegative().default(0) })

const targets = z
  .array(target)
  .min(1)
  .refine((list) => new Set(list.map(({ model }) => model)).size === list.length, {
    message: 'a model is listed twice',
    params: { zh: '实际模型名重复' },
  })

/** Also what the mapping calls accept. */
export const ModelMapping = z.object({
  mapping: namedMapSchema(targets)
    .refine((map) => Object.values(map).every((list) => list.every(({ model }) => !Object.hasOwn(map, model))), {
      message: 'a target is itself a virtual name',
      params: { zh: '目标模型本身是虚拟模型名' },
    })
    .default(namedMap({})),
})

export const mappingOptions = {
  global_model_mapping: json<ModelMapping>(mapping, ModelMapping, { mapping: namedMap({}) }),
}
