import { createContext, use, useEffect, useRef, useState, type PropsWithChildren } from 'react'
import { UnsavedGuard } from '../../ui/form/unsaved-guard.tsx'

type HasChanges = () => boolean

const Forms = createContext<Set<HasChanges>>(new Set())

/** One guard for all forms of the page, because the router supports only one. */
export function UnsavedForms({ children }: PropsWithChildren) {
  const [forms] = useState(() => new Set<HasChanges>())
  return (
    <Forms value={forms}>
      <UnsavedGuard hasChanges={() => [...forms].some((hasChanges) => hasChanges())} />
      {children}
    </Forms>
  )
}

/** Asks for confirmation before leaving the page while this form has unsaved changes. */
export function useUnsavedForm(hasChanges: HasChanges): void {
  const forms = use(Forms)
  const latest = useRef(hasChanges)
  useEffect(() => {
    latest.current = hasChanges
  })
  useEffect(() => {
    const check = () => latest.current()
    forms.add(check)
    return () => void forms.delete(check)
  }, [forms])
}
