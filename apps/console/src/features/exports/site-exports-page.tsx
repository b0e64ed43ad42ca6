import { ExportsView } from './exports-view.tsx'

/** The export destinations of the site. */
export default function SiteExportsPage() {
  return <ExportsView scope="site" />
}
