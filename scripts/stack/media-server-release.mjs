/** The LiveKit that this version runs; `media/go.mod` pins the same one. */
export const LIVEKIT_VERSION = '1.13.5';

/** Any patch of this minor version found on PATH will do as well. */
export const LIVEKIT_MINOR = '1.13';

/** The official release archives: what they must be, byte for byte. */
export const releaseArchives = {
  'linux-x64': {
    file: `livekit_${LIVEKIT_VERSION}_linux_amd64.tar.gz`,
    sha256: 'c020fac437b7cc9b776eef1ad5ea8af77be9acfa07602eca20a3a44930dfbc70',
    bytes: 18_064_127,
  },
  'linux-arm64': {
    file: `livekit_${LIVEKIT_VERSION}_linux_arm64.tar.gz`,
    sha256: '332015305518765fe05bad74fc3a9d9583e635e7dd130de3c4fc563d69c550f3',
    bytes: 16_349_520,
  },
};

/** Where the archives are; LIVEKIT_RELEASE_BASE_URL names a mirror. */
export const RELEASE_BASE_URL = `https://github.com/livekit/livekit/releases/download/v${LIVEKIT_VERSION}`;
