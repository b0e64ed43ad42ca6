import { VirtualModels } from '../features/model-mapping/virtual-models.tsx'
import SettingsPage from '../features/settings/settings-page.tsx'

/** The settings, with the editor of virtual models among them. */
export default function SettingsScreen() {
  return <SettingsPage mapping={<VirtualModels />} />
}
