import { useEffect, useState } from 'react'

const TYPING_PAUSE = 350

/** A value once it has stopped changing. */
export function useSettled<Value>(value: Value): Value {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), TYPING_PAUSE)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}
