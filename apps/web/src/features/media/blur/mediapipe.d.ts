/** The part of MediaPipe's WebAssembly that blurring uses; the package describes its wrapper only. */
declare module '@mediapipe/selfie_segmentation/selfie_segmentation_solution_simd_wasm_bin.js' {
  interface List<Item> {
    push_back(item: Item): void;
    delete(): void;
  }
  interface OptionChange {
    readonly calculatorType: string;
    readonly calculatorName: string;
    readonly calculatorIndex: number;
    readonly fieldName: string;
    readonly valueString: string;
    readonly valueNumber: number;
    readonly valueBoolean: boolean;
  }
  interface Texture {
    readonly glName: number;
    readonly width: number;
    readonly height: number;
  }
  interface Packets {
    pushTexture2d(texture: Texture & { readonly stream: string; readonly timestamp: number }): void;
    delete(): void;
  }
  interface Listener {
    onResults(results: { get(index: number): Texture | undefined }): void;
  }
  interface Solution {
    loadGraph(graph: ArrayBuffer): void;
    overrideFile(path: string, content: ArrayBuffer): void;
    attachMultiListener(wanted: List<string>, listener: object): void;
    changeOptions(changes: List<OptionChange>): void;
    send(packets: Packets): void;
  }
  interface Wasm {
    canvas: OffscreenCanvas;
    readonly GL: {
      createContext(
        canvas: OffscreenCanvas,
        options: { majorVersion: 2; antialias: boolean; alpha: boolean },
      ): number;
      makeContextCurrent(handle: number): void;
      getContext(handle: number): { readonly GLctx: WebGL2RenderingContext } | undefined;
    };
    readonly SolutionWasm: new () => Solution;
    readonly StringList: new () => List<string>;
    readonly GraphOptionChangeRequestList: new () => List<OptionChange>;
    readonly PacketDataList: new () => Packets;
    readonly PacketListener: { implement(listener: Listener): object };
    createTexture(): number;
    /** 0 binds none. */
    bindTexture2d(glName: number): void;
  }
  // biome-ignore lint/style/noDefaultExport: it is what the bundler makes of the module's only export
  export default function createWasm(options: {
    readonly locateFile: (name: string) => string;
  }): Promise<Wasm>;
}
