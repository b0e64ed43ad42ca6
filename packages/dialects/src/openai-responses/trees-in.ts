import { asList, asJsonObject, type JsonObject } from '../json/json-object.ts'

/** The objects of a list, without whatever else strayed into it. */
export function treesIn(list: unknown): JsonObject[] {
  return asList(list).filter((value): value is JsonObject => asJsonObject(value) !== undefined)
}
