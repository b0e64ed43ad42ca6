import { KeyOutlined } from '@ant-design/icons'
import type { User } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { Alert, Button } from '../../ui/kit/index.ts'
import { passkeyErrorText } from '../reauth/passkeys.ts'
import { useLoginWithPasskey } from './queries.ts'
import styles from './sign-in.module.css'

/** Both factors at once, without a name or a password. */
export function PasskeyButton({ onUser }: { onUser(user: User): void }) {
  const { t } = useTranslation('entry')
  const login = useLoginWithPasskey()
  return (
    <>
      <Button
        size="large"
        block
        className={styles.service}
        icon={<KeyOutlined aria-hidden />}
        loading={login.isPending}
        onClick={() => login.mutate(undefined, { onSuccess: (user) => onUser(user) })}
      >
        {t('withPasskey')}
      </Button>
      {login.error && <Alert className={styles.problem} type="error" showIcon title={passkeyErrorText(login.error)} />}
    </>
  )
}
