import type { ErrorCode } from '@tidegate/contract/api'
import { CallError } from '../../../lib/call-error.ts'
import type { FormInstance } from '../../../ui/kit/index.ts'

const FIELDS: Partial<Record<ErrorCode, string>> = {
  redemption_name_invalid: 'name',
  quota_invalid: 'quota',
  redemption_uses_invalid: 'max_uses',
  redemption_window_invalid: 'until',
  redemption_key_invalid: 'key',
  redemption_key_taken: 'key',
  redemption_count_invalid: 'count',
}

/** Puts a refusal beside the field it is about, where it stays when the toast is gone. */
export function tellRefusal(form: FormInstance, error: unknown): void {
  const field = error instanceof CallError ? FIELDS[error.code as ErrorCode] : undefined
  if (field === undefined || form.getFieldInstance(field) === undefined) return
  form.setFields([{ name: field, errors: [(error as CallError).message] }])
  form.focusField(field)
}
