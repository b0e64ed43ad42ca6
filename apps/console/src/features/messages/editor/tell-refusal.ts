import type { ErrorCode } from '@tidegate/contract/api'
import { CallError } from '../../../lib/call-error.ts'
import type { FormInstance } from '../../../ui/kit/index.ts'

const FIELDS: Partial<Record<ErrorCode, string>> = {
  message_title_required: 'title',
  message_title_too_long: 'title',
  message_content_required: 'content',
  message_content_too_long: 'content',
  message_time_invalid: 'time',
  recipients_required: 'user_ids',
  recipients_unknown: 'user_ids',
  group_unknown: 'group',
}

/** Puts a refusal beside the field it is about, where it stays when the toast is gone. */
export function tellRefusal(form: FormInstance, error: unknown): void {
  const field = error instanceof CallError ? FIELDS[error.code as ErrorCode] : undefined
  if (field === undefined || form.getFieldValue(field) === undefined) return
  form.setFields([{ name: field, errors: [(error as CallError).message] }])
  form.scrollToField(field, { block: 'center' })
}
