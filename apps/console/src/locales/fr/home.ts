export default {
  tagline:
    'Une seule adresse pour les modèles de nombreux fournisseurs. Gardez votre client, payez ce que vous appelez et vérifiez chaque ligne de la facture.',
  contentOf: 'Page d’accueil de {{name}}',
  start: 'Commencer',
  login: 'Se connecter',
  openConsole: 'Ouvrir la console',
  seePrices: 'Voir les prix',
  address: {
    title: 'Adresse de l’API',
    hint: 'À définir comme URL de base de votre client ; le reste du code ne change pas',
    copy: 'Copier l’adresse de l’API',
    copyFor: 'Copier l’adresse pour les clients {{name}}',
    protocols: 'Protocoles',
  },
  models: {
    title: 'Modèles disponibles : {{count}}',
    all: 'Tous les modèles et prix',
    others: 'Autres',
  },
  protocols: {
    title: 'Quatre protocoles, tous les fournisseurs',
    text: 'Les clients OpenAI, Responses, Anthropic et Gemini se connectent sans changer de code.',
  },
  money: {
    title: 'Des comptes exacts',
    text: 'Le quota se compte en unités entières ; une facture se recalcule ligne à ligne. Rien n’est facturé deux fois.',
  },
  failover: {
    title: 'Les pannes restent en amont',
    text: 'Avant le premier mot, un canal défaillant est remplacé. Ensuite, chaque événement arrive tel qu’envoyé.',
  },
}
