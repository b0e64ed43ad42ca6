import { useEffect, useRef, useState } from 'react'

/** Returns a stable object that calls the latest functions, so that rows do not render again. */
export function useStableActions<Actions extends object>(latest: Actions): Actions {
  const current = useRef(latest)
  useEffect(() => {
    current.current = latest
  })
  const [stable] = useState(() => {
    const names = Object.keys(latest) as (keyof Actions)[]
    const calls = names.map((name) => [
      name,
      (...input: unknown[]) => (current.current[name] as (...input: unknown[]) => unknown)(...input),
    ])
    return Object.fromEntries(calls) as Actions
  })
  return stable
}
