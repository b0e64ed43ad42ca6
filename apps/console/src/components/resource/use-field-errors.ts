import type { ErrorCode } from '@tidegate/contract/api'
import { ApiError, errorText, isEditConflict, isUnproved } from '../../api/errors.ts'
import { toast } from '../../lib/toast.ts'
import type { FormInstance } from '../../ui/kit/index.ts'

/** The field that each error code is about. */
export type FieldErrors<Values = Record<string, unknown>> = Partial<Record<ErrorCode, keyof Values & string>>

/** Shows an API error at its field and focuses the field; shows a toast if no field of the form is concerned. */
export function useFieldErrors<Values extends object>(form: FormInstance<Values>, fields: FieldErrors) {
  return (error: unknown): void => {
    const field = error instanceof ApiError ? fields[error.code as ErrorCode] : undefined
    if (field !== undefined && form.getFieldInstance(field) !== undefined) {
      form.setFields([{ name: field as never, errors: [errorText(error)] }])
      form.scrollToField(field, { focus: true, block: 'center' })
    } else if (!isUnproved(error) && !isEditConflict(error)) {
      toast.error(errorText(error))
    }
  }
}
