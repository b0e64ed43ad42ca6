import { KeyOutlined } from '@ant-design/icons'
import { REDIRECT_SERVICES, type RedirectService, type SignInServiceName, type User } from '@tidegate/contract/api'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../api/errors.ts'
import { Alert, Button } from '../../ui/kit/index.ts'
import { passkeyErrorText } from '../reauth/passkeys.ts'
import { useLoginWithPasskey, type SignInHandlers } from './api.ts'
import styles from './auth.module.css'
import { useServiceRedirect } from './redirect.ts'
import { ServiceMark, useServiceName } from './services.tsx'
import { TelegramDialog } from './telegram.tsx'
import { WeChatLogin } from './wechat.tsx'

interface Props extends SignInHandlers {
  services: readonly SignInServiceName[]
  /** Whether this site and this browser can use passkeys. */
  hasPasskeys?: boolean
  /** The page that opens after the sign-in. */
  returnTo: string
}

/** Ways to sign in without a password. */
export function SignInMethods({ services, hasPasskeys = false, ...props }: Props) {
  return (
    <div className={styles.methods}>
      {hasPasskeys && <PasskeyButton onUser={props.onUser} />}
      {services.length > 0 && <ServiceButtons services={services} {...props} />}
    </div>
  )
}

/** A passkey needs no username and counts as both factors. */
function PasskeyButton({ onUser }: { onUser(user: User): void }) {
  const { t } = useTranslation('entry')
  const login = useLoginWithPasskey()
  return (
    <>
      <Button
        size="large"
        block
        className={styles.method}
        icon={<KeyOutlined aria-hidden />}
        loading={login.isPending}
        onClick={() => login.mutate(undefined, { onSuccess: (user) => onUser(user) })}
      >
        {t('withPasskey')}
      </Button>
      {login.error && <Alert type="error" showIcon title={passkeyErrorText(login.error)} />}
    </>
  )
}

/** More services than this share rows and show only their names. */
const FULL_ROWS = 1

function ServiceButtons({ services, returnTo, ...handlers }: Omit<Props, 'hasPasskeys'>) {
  const { t } = useTranslation('entry')
  const nameOf = useServiceName()
  const pending = { intent: 'login', returnTo } as const
  const redirect = useServiceRedirect(pending)
  const [opened, setOpened] = useState<SignInServiceName | null>(null)
  const close = () => setOpened(null)
  const isDense = services.length > FULL_ROWS
  return (
    <>
      <div className={styles.services} data-dense={isDense}>
        {services.map((service) => (
          <Button
            key={service}
            size="large"
            className={styles.method}
            icon={<ServiceMark service={service} />}
            aria-label={t('with', { service: nameOf(service) })}
            loading={redirect.service === service}
            disabled={redirect.service !== null && redirect.service !== service}
            onClick={() => (isRedirect(service) ? redirect.redirectTo(service) : setOpened(service))}
          >
            {isDense ? nameOf(service) : t('with', { service: nameOf(service) })}
          </Button>
        ))}
      </div>
      {redirect.error && <Alert type="error" showIcon title={errorText(redirect.error)} />}
      <WeChatLogin open={opened === 'wechat'} onClose={close} {...handlers} />
      <TelegramDialog open={opened === 'telegram'} onClose={close} redirect={pending} />
    </>
  )
}

function isRedirect(service: SignInServiceName): service is RedirectService {
  return (REDIRECT_SERVICES as readonly string[]).includes(service)
}
