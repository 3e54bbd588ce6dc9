import { REPORT_STILL_PX } from '@mogakgong/contract';

const QUALITY = 0.85;

/** The frame that a video shows, at most as large as a stored still; null before its first one. */
export function captureStill(video: HTMLVideoElement): HTMLCanvasElement | null {
  const { videoWidth, videoHeight } = video;
  if (videoWidth === 0) return null;
  const scale = Math.min(
    1,
    REPORT_STILL_PX.width / videoWidth,
    REPORT_STILL_PX.height / videoHeight,
  );
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(videoWidth * scale);
  canvas.height = Math.round(videoHeight * scale);
  const context = canvas.getContext('2d');
  context?.drawImage(video, 0, 0, canvas.width, canvas.height);
  return context && canvas;
}

/** A still as a file to send. */
export function stillFile(canvas: HTMLCanvasElement): Promise<File> {
  return new Promise((resolve, reject) => {
    canvas.toBlob(
      (blob) => {
        if (blob) resolve(new File([blob], 'still.jpg', { type: blob.type }));
        else reject(new Error('the browser could not encode a still'));
      },
      'image/jpeg',
      QUALITY,
    );
  });
}
