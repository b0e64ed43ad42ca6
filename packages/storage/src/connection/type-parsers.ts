import { types, type CustomTypesConfig } from 'pg'

const INT8: number = types.builtins.INT8

/**
 * How column values become JavaScript values. `bigint` (ids, quota, counts) becomes a number; `numeric` stays text,
 * because a float would lose digits; the rest is the driver's choice (`timestamptz` is a Date).
 */
export const typeParsers: CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 ? parseBigint : types.getTypeParser(oid, format),
}

/** Refuses a value a number cannot hold exactly: money that is silently off by one is worse than an error. */
export function parseBigint(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`bigint ${text} is outside the safe integer range`)
  return value
}
