/** What went wrong with a form as a whole; announced when it appears. */
export function FormError({ text }: { readonly text: string | undefined }) {
  return (
    <div role="alert">
      {text && (
        <p className="rounded-medium bg-danger-wash px-4 py-3 text-danger text-small">{text}</p>
      )}
    </div>
  );
}
