import { Time } from '../../../ui/page/time.tsx'

/** A moment as the server writes it. */
export function IsoTime({ at }: { at: string }) {
  return <Time unixSeconds={Math.floor(Date.parse(at) / 1000)} />
}
