import type { ColumnType, JSONColumnType } from 'kysely'

export type Time = ColumnType<Date, Date | string | undefined, Date | string>
export type NullableTime = ColumnType<Date | null, Date | string | null | undefined, Date | string | null>
export type Json<Value extends object = Record<string, unknown>> = JSONColumnType<Value, string | undefined>
