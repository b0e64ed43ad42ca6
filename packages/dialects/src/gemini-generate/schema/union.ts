import { asList, asJsonObject, type JsonObject } from '../../json/json-object.ts'

/** One schema for values that match any of several. Nothing may stand beside `anyOf`, so its members say it all. */
export function union(members: readonly JsonObject[], about: { description: unknown; nullable: boolean }): JsonObject {
  const choices = asOneEnum(
    distinct(members.flatMap((member) => (member.anyOf ? (member.anyOf as JsonObject[]) : [member]))),
  )
  const described = (choice: JsonObject): JsonObject => ({
    ...choice,
    ...(typeof about.description === 'string' && { description: choice.description ?? about.description }),
    ...(about.nullable && { nullable: true }),
  })
  if (choices.length === 0) return described({ type: 'STRING' })
  return choices.length === 1 ? described(choices[0]!) : { anyOf: choices.map(described) }
}

function distinct(members: readonly JsonObject[]): JsonObject[] {
  return [...new Map(members.map((member) => [JSON.stringify(member), member])).values()]
}

/** Texts to choose from, given one by one, are one choice. */
function asOneEnum(members: readonly JsonObject[]): JsonObject[] {
  const arePlain = members.every(
    ({ type, enum: texts, ...rest }) => type === 'STRING' && texts !== undefined && Object.keys(rest).length === 0,
  )
  if (!arePlain || members.length < 2) return [...members]
  return [{ type: 'STRING', enum: [...new Set(members.flatMap((member) => asList(member.enum)))] }]
}

/** Parameters are an object with properties, or nothing: alternatives become one object with all that each may have. */
export function asParameters(schema: JsonObject | undefined): JsonObject | undefined {
  const members = asList(schema?.anyOf ?? [schema]).map((member) => asJsonObject(member) ?? {})
  const objects = members.filter(({ type, properties }) => type === 'OBJECT' && properties)
  const first = objects[0]
  if (!first) return undefined
  const { nullable: _never, ...parameters } = first
  if (members.length === 1) return parameters
  const { description } = parameters
  // The first of a name counts, and the last of an entry does.
  const entries = objects.toReversed().flatMap((object) => Object.entries(asJsonObject(object.properties) ?? {}))
  const required = asList(first.required).filter((name) => members.every((one) => asList(one.required).includes(name)))
  return {
    type: 'OBJECT',
    ...(description !== undefined && { description }),
    properties: Object.fromEntries(entries),
    ...(required.length > 0 && { required }),
  }
}
