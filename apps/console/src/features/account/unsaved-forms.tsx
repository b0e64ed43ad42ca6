import { createContext, use, useEffect, useRef, useState, type PropsWithChildren } from 'react'
import { UnsavedGuard } from '../../ui/form/unsaved-guard.tsx'

type HasChanges = () => boolean

const Forms = createContext<Set<HasChanges>>(new Set())

/** One question for all forms of the page: the router asks one guard only. */
export function UnsavedForms({ children }: PropsWithChildren) {
  const [forms] = useState(() => new Set<HasChanges>())
  return (
    <Forms value={forms}>
      <UnsavedGuard hasChanges={() => [...forms].some((hasChanges) => hasChanges())} />
      {children}
    </Forms>
  )
}

/** Leaving the page asks first while this form has changes. */
export function useUnsavedForm(hasChanges: HasChanges): void {
  const forms = use(Forms)
  const latest = useRef(hasChanges)
  useEffect(() => {
    latest.current = hasChanges
  })
  useEffect(() => {
    const ask = () => latest.current()
    forms.add(ask)
    return () => void forms.delete(ask)
  }, [forms])
}
