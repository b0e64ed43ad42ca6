import { REDIRECT_SERVICES, type RedirectService, type SignInServiceName } from '@tidegate/contract/api'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Alert, Button } from '../../ui/kit/index.ts'
import { errorText } from '../../api/errors.ts'
import { ServiceMark } from './service-mark.tsx'
import { useServiceName } from './service-names.ts'
import styles from './sign-in.module.css'
import { TelegramDialog } from './telegram-dialog.tsx'
import { useRedirect } from './use-redirect.ts'
import { WeChatLogin, type Outcome } from './wechat-login.tsx'

interface Props extends Outcome {
  services: readonly SignInServiceName[]
  /** Where the person wanted to be. */
  returnTo: string
}

/** More than these get half a row each, and only their names. */
const ROWS = 2

/** Ways in with an account from elsewhere. */
export function ServiceButtons({ services, returnTo, ...outcome }: Props) {
  const { t } = useTranslation('entry')
  const nameOf = useServiceName()
  const redirect = useRedirect(returnTo)
  const [opened, setOpened] = useState<SignInServiceName | null>(null)
  const close = () => setOpened(null)
  const choose = (service: SignInServiceName) => {
    if (isRedirect(service)) redirect.to(service)
    else setOpened(service)
  }
  return (
    <>
      <div className={styles.services} data-dense={services.length > ROWS}>
        {services.map((service) => (
          <Button
            key={service}
            size="large"
            className={styles.service}
            icon={<ServiceMark service={service} />}
            aria-label={t('with', { service: nameOf(service) })}
            loading={redirect.leavingFor === service}
            disabled={redirect.leavingFor !== null && redirect.leavingFor !== service}
            onClick={() => choose(service)}
          >
            {services.length > ROWS ? nameOf(service) : t('with', { service: nameOf(service) })}
          </Button>
        ))}
      </div>
      {redirect.error && <Alert className={styles.problem} type="error" showIcon title={errorText(redirect.error)} />}
      <WeChatLogin open={opened === 'wechat'} onClose={close} {...outcome} />
      <TelegramDialog open={opened === 'telegram'} onClose={close} trip={{ intent: 'login', returnTo }} />
    </>
  )
}

function isRedirect(service: SignInServiceName): service is RedirectService {
  return (REDIRECT_SERVICES as readonly string[]).includes(service)
}
