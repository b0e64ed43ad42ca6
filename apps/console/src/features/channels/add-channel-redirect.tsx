import { Navigate } from 'react-router'

/** Redirects to the channel list with the drawer open. */
export default function AddChannelRedirect() {
  return <Navigate replace to="/admin/channels?drawer=create" />
}
