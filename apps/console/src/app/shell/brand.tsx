import { Link } from 'react-router'
import { DEFAULT_LOGO, DEFAULT_NAME, useStatus } from '../../api/status.ts'
import { BrandMark } from '../../components/brand-mark.tsx'
import styles from './top-bar.module.css'

/** The operator's logo and name; ours only where they have set none. */
export function Brand() {
  const { logo, system_name: name } = useStatus()
  return (
    <Link to="/" className={styles.brand}>
      {logo && logo !== DEFAULT_LOGO ? <img src={logo} alt="" width={24} height={24} /> : <BrandMark size={22} />}
      <span className={styles.brandName}>{name || DEFAULT_NAME}</span>
    </Link>
  )
}
