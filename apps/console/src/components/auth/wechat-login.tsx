import type { SecondFactorNeeded, User } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../api/errors.ts'
import { useLoginWithWeChat } from './queries.ts'
import { secondFactorOf } from './second-factor.ts'
import { WeChatDialog } from './wechat-dialog.tsx'

/** How a sign-in that stays on the page ends well, or goes on. */
export interface Outcome {
  onUser(user: User): void
  onSecondFactor(needed: SecondFactorNeeded): void
}

interface Props extends Outcome {
  open: boolean
  onClose(): void
}

export function WeChatLogin({ open, onClose, onUser, onSecondFactor }: Props) {
  const { t } = useTranslation('entry')
  const login = useLoginWithWeChat()
  const close = () => {
    login.reset()
    onClose()
  }
  const submit = (code: string) =>
    login.mutate(code, {
      onSuccess: (user) => onUser(user),
      onError(error) {
        const needed = secondFactorOf(error)
        if (needed) onSecondFactor(needed)
      },
    })
  return (
    <WeChatDialog
      title={t('wechat.loginTitle')}
      submitText={t('wechat.login')}
      open={open}
      onClose={close}
      onSubmit={submit}
      isPending={login.isPending}
      problem={login.error ? errorText(login.error) : ''}
    />
  )
}
