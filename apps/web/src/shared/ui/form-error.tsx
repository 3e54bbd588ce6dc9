interface FormErrorProps {
  readonly text: string | undefined;
  /** For the fields that the text is about. */
  readonly id?: string;
}

/** The error of a form as a whole; announced when it appears. */
export function FormError({ text, id }: FormErrorProps) {
  return (
    <div role="alert" id={id} className="empty:sr-only">
      {text && (
        <p className="rounded-medium bg-danger-wash px-4 py-3 text-danger text-small">{text}</p>
      )}
    </div>
  );
}
