import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useSearchParams } from 'react-router'
import { Button } from '../../../ui/kit/index.ts'
import { NarrowPanel } from '../../../ui/page/narrow-panel.tsx'
import { ConfirmReset } from './confirm-reset.tsx'

/** Where the link of a mail leads. Nothing happens until a person presses the button: programs open links too. */
export default function ConfirmPage() {
  const { t } = useTranslation('reset')
  const navigate = useNavigate()
  const [search] = useSearchParams()
  // As the link was: the address is cleared once the link is used.
  const [{ email, token }] = useState({ email: search.get('email') ?? '', token: search.get('token') ?? '' })
  if (email === '' || token === '')
    return (
      <NarrowPanel title={t('confirm.incomplete')} purpose={t('confirm.incompleteHint')}>
        <Button type="primary" size="large" block onClick={() => void navigate('/reset')}>
          {t('confirm.sendAgain')}
        </Button>
      </NarrowPanel>
    )
  return <ConfirmReset email={email} token={token} />
}
