import { isRoot, ROLES, type User, type UserDetail } from '@tidegate/contract/api'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { rememberUser, useSession } from '../../api/session.ts'
import { CreateDrawer, EditDrawer } from '../../components/resource/edit-drawer.tsx'
import { FormSection } from '../../ui/form/form-section.tsx'
import { createUser, updateUser, userQuery, USERS } from './api.ts'
import {
  AreaFields,
  Bindings,
  CurrentBalance,
  GroupField,
  NameFields,
  PasswordField,
  PasswordFields,
  UsageFacts,
} from './user-fields.tsx'
import { BalanceField } from './balance-field.tsx'
import TopUpDialog from './top-up-dialog.tsx'
import { blankValues, changedAreas, editOf, ERROR_FIELDS, valuesOf, type UserValues } from './user-values.ts'

interface Props {
  open: boolean
  onClose(): void
}

export function CreateUserDrawer(drawer: Props) {
  const { t } = useTranslation('users')
  return (
    <CreateDrawer
      {...drawer}
      title={t('form.addTitle')}
      submitText={t('form.submit')}
      initial={blankValues}
      errors={ERROR_FIELDS}
      reloads={USERS}
      save={(values) => createUser({ ...values, username: values.username.trim() })}
      saved={t('form.created')}
    >
      <NameFields />
      <PasswordField />
      <p className="secondary">{t('form.newUserHint')}</p>
    </CreateDrawer>
  )
}

export function EditUserDrawer({ id, ...drawer }: Props & { id: number }) {
  const { t } = useTranslation('users')
  const isSuperAdmin = useSession((session) => isRoot(session.user?.role ?? 0))
  const [isAdvanced, setAdvanced] = useState(false)
  const [isToppingUp, setToppingUp] = useState(false)
  const grantsAreas = ({ role }: User) => isSuperAdmin && role === ROLES.admin
  const save = (values: UserValues, user: UserDetail) => {
    const edit = editOf(user, values)
    const areas = grantsAreas(user) ? changedAreas(user, values) : null
    if (!edit && !areas) return null
    return updateUser(id, { edit, areas }).then(() => updateOwnName(id, values))
  }
  return (
    <>
      <EditDrawer
        {...drawer}
        id={id}
        query={userQuery(id)}
        title={(user) => (user ? t('form.editTitle', { name: user.username }) : t('form.editTitleLoading'))}
        loadErrors={{ user_not_found: t('form.notFound'), rank_read: t('form.notYours') }}
        initial={valuesOf}
        errors={ERROR_FIELDS}
        reloads={USERS}
        save={save}
        saved={t('form.saved')}
      >
        {(user) => (
          <>
            <FormSection title={t('form.account')}>
              <NameFields />
              <PasswordFields user={user} />
            </FormSection>
            <FormSection title={t('form.limits')}>
              <CurrentBalance quota={user.quota} onTopUp={() => setToppingUp(true)} />
              <GroupField stored={user.group} />
            </FormSection>
            {grantsAreas(user) && <AreaFields />}
            <FormSection
              title={t('form.advanced')}
              fold={{ open: isAdvanced, onToggle: () => setAdvanced(!isAdvanced) }}
            >
              <BalanceField stored={user.quota} mayBeNegative={isSuperAdmin} />
            </FormSection>
            <Bindings user={user} />
            <UsageFacts user={user} />
          </>
        )}
      </EditDrawer>
      <TopUpDialog id={id} open={drawer.open && isToppingUp} onClose={() => setToppingUp(false)} />
    </>
  )
}

/** Updates the session, because the top bar shows the name of the current user. */
function updateOwnName(id: number, { username, display_name: displayName }: UserValues): void {
  const me = useSession.getState().user
  if (me?.id === id) rememberUser({ ...me, username: username.trim(), display_name: displayName || username.trim() })
}
