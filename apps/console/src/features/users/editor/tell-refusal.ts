import type { ErrorCode } from '@tidegate/contract/api'
import { CallError } from '../../../lib/call-error.ts'
import type { FormInstance } from '../../../ui/kit/index.ts'

const FIELDS: Partial<Record<ErrorCode, string>> = {
  username_taken: 'username',
  group_unknown: 'group',
  quota_invalid: 'quota',
  balance_limit: 'quota',
  original_password_required: 'original_password',
  original_password_wrong: 'original_password',
}

/** Puts a refusal beside the field it is about, where it stays when the toast is gone. */
export function tellRefusal(form: FormInstance, error: unknown): void {
  const field = error instanceof CallError ? FIELDS[error.code as ErrorCode] : undefined
  if (field === undefined || form.getFieldInstance(field) === undefined) return
  form.setFields([{ name: field, errors: [(error as CallError).message] }])
  form.focusField(field)
}
