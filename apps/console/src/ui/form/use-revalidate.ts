import { useEffect, useEffectEvent, useRef } from 'react'
import { Form } from '../kit/index.ts'

type Name = string | (string | number)[]

/**
 * Validates touched fields and fields with errors again when the dependency changes. `dependencies` of a form item
 * would also validate untouched fields that have an initial value.
 */
export function useRevalidate(names: readonly Name[], dependency: unknown): void {
  const form = Form.useFormInstance()
  const last = useRef(dependency)
  const revalidate = useEffectEvent((next: unknown) => {
    if (last.current === next) return
    last.current = next
    const shown = names.filter((name) => form.isFieldTouched(name) || form.getFieldError(name).length > 0)
    if (shown.length > 0) form.validateFields(shown).catch(() => {}) // the fields show the errors
  })
  useEffect(() => revalidate(dependency), [dependency])
}
