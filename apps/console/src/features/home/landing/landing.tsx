import { AddressCard } from './address-card.tsx'
import styles from './landing.module.css'
import { Lead } from './lead.tsx'
import { ModelVendors } from './model-vendors.tsx'
import { Points } from './points.tsx'

/** What this site offers and how to begin, for those who come for the first time. */
export function Landing() {
  return (
    <div className={styles.landing}>
      <div className={styles.opening}>
        <Lead />
        <AddressCard />
      </div>
      <ModelVendors />
      <Points />
    </div>
  )
}
