import type { Status } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { passkeyObstacle } from '../../../components/reauth/passkey-obstacle.ts'
import { PasskeyButton } from '../../../components/auth/passkey-button.tsx'
import { ServiceButtons } from '../../../components/auth/service-buttons.tsx'
import { openServices } from '../../../components/auth/service-names.ts'
import type { Outcome } from '../../../components/auth/wechat-login.tsx'
import { Divider } from '../../../ui/kit/index.ts'
import styles from './login.module.css'

interface Props extends Outcome {
  status: Status
  destination: string
}

/** Ways in without a password: a passkey where this browser has them, and the services that are switched on. */
export function OtherWays({ status, destination, ...outcome }: Props) {
  const { t } = useTranslation('entry')
  const services = openServices(status)
  const hasPasskeys = passkeyObstacle(status.server_address) === null
  if (services.length === 0 && !hasPasskeys) return null
  return (
    <>
      {status.password_login && (
        <Divider plain className={styles.or}>
          {t('or')}
        </Divider>
      )}
      <div className={styles.ways}>
        {hasPasskeys && <PasskeyButton onUser={outcome.onUser} />}
        {services.length > 0 && <ServiceButtons services={services} returnTo={destination} {...outcome} />}
      </div>
    </>
  )
}
