/** Imports the log of the old gateway. Another run imports the new rows. */
export const IMPORT_COMMAND = 'tidegate import --from sqlite:./one-api.db --logs --yes'

/**
 * The configuration of the nginx in front of the old gateway. Tidegate is an `upstream`, because nginx would need a
 * resolver for a host name in a `proxy_pass` with a variable.
 */
export function nginxSnippet({ protocol, hostname, port }: Pick<URL, 'protocol' | 'hostname' | 'port'>): string {
  const isSecure = protocol === 'https:'
  const server = `${hostname}:${port || (isSecure ? 443 : 80)}`
  const host = port ? `${hostname}:${port}` : hostname
  return [
    '# http { … }',
    'split_clients "$request_id" $to_shadow {',
    '    10%     1;',
    '    *       "";',
    '}',
    '',
    'upstream tidegate_shadow {',
    `    server ${server};`,
    '}',
    '',
    '# server { … }',
    'location /v1/ {',
    '    mirror /tidegate-shadow;',
    '    mirror_request_body on;',
    '    proxy_pass http://old_gateway;',
    '}',
    '',
    'location = /tidegate-shadow {',
    '    internal;',
    '    if ($to_shadow = "") {',
    '        return 204;',
    '    }',
    `    proxy_pass ${protocol}//tidegate_shadow/shadow$request_uri;`,
    `    proxy_set_header Host ${host};`,
    '    proxy_set_header X-Forwarded-For $remote_addr;',
    ...(isSecure ? ['    proxy_ssl_server_name on;', `    proxy_ssl_name ${hostname};`] : []),
    '    proxy_connect_timeout 2s;',
    '    proxy_read_timeout 5s;',
    '}',
  ].join('\n')
}
