import { useEffect, useEffectEvent, useRef } from 'react'
import { Form } from '../kit/index.ts'

type Name = string | (string | number)[]

/**
 * Validates fields again when what their rules depend on changes, but only fields that were touched or show an error.
 * `dependencies` of a form item also marks untouched fields that have an initial value.
 */
export function useRevalidate(names: readonly Name[], dependency: unknown): void {
  const form = Form.useFormInstance()
  const last = useRef(dependency)
  const revalidate = useEffectEvent((next: unknown) => {
    if (last.current === next) return
    last.current = next
    const shown = names.filter((name) => form.isFieldTouched(name) || form.getFieldError(name).length > 0)
    if (shown.length > 0) form.validateFields(shown).catch(() => {}) // the fields show what is wrong
  })
  useEffect(() => revalidate(dependency), [dependency])
}
