import type { ErrorCode } from '@tidegate/contract/api'
import { CallError } from '../../../lib/call-error.ts'
import type { FormInstance } from '../../../ui/kit/index.ts'
import type { NewTokenValues } from './token-values.ts'

const FIELDS: Partial<Record<ErrorCode, keyof NewTokenValues>> = {
  token_name_invalid: 'name',
  token_expiry_invalid: 'expires',
  token_group_not_allowed: 'group',
  token_model_unknown: 'models',
  token_address_invalid: 'addresses',
  token_budget_invalid: 'budget',
  token_zone_unknown: 'zone',
  token_count_invalid: 'count',
  token_limit_reached: 'count',
}

/** Puts a refusal beside the field it is about, where it stays when the toast is gone. */
export function tellRefusal(form: FormInstance, error: unknown): void {
  const field = error instanceof CallError ? FIELDS[error.code as ErrorCode] : undefined
  if (field === undefined || form.getFieldInstance(field) === undefined) return
  form.setFields([{ name: field, errors: [(error as CallError).message] }])
  form.scrollToField(field, { focus: true, block: 'center' })
}
