export default {
  title: 'À propos de {{name}}',
  failed: 'La page À propos n’a pas pu être chargée',
  words:
    '{{name}} est une passerelle vers les modèles d’IA : une adresse et un jeton suffisent pour appeler les modèles de nombreux fournisseurs avec le client OpenAI, Anthropic ou Gemini que vous utilisez déjà.',
  next: 'Ce qu’un appel a coûté, et pourquoi, se vérifie ligne à ligne dans les journaux. <prices>Consultez d’abord les prix</prices>, ou <tokens>créez un jeton</tokens> pour essayer.',
  address: 'Adresse de l’API',
  version: 'Version',
  owner:
    'Ce texte n’est qu’un exemple. Écrivez le vôtre dans <settings>Paramètres système → Autres</settings> : Markdown, HTML ou l’adresse d’une page.',
}
