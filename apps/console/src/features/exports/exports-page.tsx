import { ExportsView } from './exports-view.tsx'

/** The export destinations of the user. */
export default function ExportsPage() {
  return <ExportsView scope="own" />
}
