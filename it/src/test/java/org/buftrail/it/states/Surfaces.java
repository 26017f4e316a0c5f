package org.buftrail.it.states;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** All surfaces but the page, each read as its user does. */
final class Surfaces {
  private Surfaces() {}

  /** Those that cost little, or are refreshed by themselves. */
  static List<Surface> watched() {
    List<Surface> all = new ArrayList<>(asked());
    all.add(Surface.late("Micrometer", scene -> MetricsReader.meters(scene.meters("micrometer"))));
    all.add(
        Surface.late(
            "OpenTelemetry", scene -> MetricsReader.meters(scene.meters("opentelemetry"))));
    return all;
  }

  /** The same without the application's own meters. */
  static List<Surface> asked() {
    return List.of(
        Surface.late("management bean", BeanReader::read),
        Surface.late("`/metrics`", scene -> MetricsReader.prometheus(scene.get("metrics"))),
        Surface.late("sum of all pushes", scene -> scene.receiver.told()),
        Surface.late("snapshot by `every`", scene -> JsonReader.read(scene.snapshot("every"))));
  }

  /** What commands print and write. */
  static List<Surface> commands() {
    return List.of(
        Surface.of("`top`", scene -> TopReader.read(scene.command("top", scene.program().pid()))),
        Surface.of("`dump` .txt", scene -> TextReader.read(text(scene.dump("txt")))),
        Surface.of("`dump` .json", scene -> JsonReader.read(scene.dump("json"))),
        Surface.of("`dump` .otlp", scene -> ProfileReader.read(scene.dump("otlp"))),
        Surface.of("`dump` .pb.gz", scene -> PprofReader.read(scene.dump("pb.gz"))),
        Surface.of("`dump` .collapsed", scene -> StackReader.read(text(scene.dump("collapsed")))),
        Surface.of("`dump` .dot", scene -> GraphReader.dot(text(scene.dump("dot")))),
        Surface.of("`dump` .mmd", scene -> GraphReader.mermaid(text(scene.dump("mmd")))),
        Surface.of("`dump` .llm", scene -> LlmReader.read(text(scene.dump("llm")))));
  }

  /** What {@code dump} writes, asked of the management bean as the command does. */
  static List<Surface> rendered() {
    return List.of(
        Surface.of("text", scene -> TextReader.read(text(scene.rendered("txt")))),
        Surface.of("JSON", scene -> JsonReader.read(scene.rendered("json"))),
        Surface.of("OpenTelemetry profiles", scene -> ProfileReader.read(scene.rendered("otlp"))),
        Surface.of("pprof", scene -> PprofReader.read(scene.rendered("pb.gz"))),
        Surface.of("collapsed", scene -> StackReader.read(text(scene.rendered("collapsed")))),
        Surface.of("DOT", scene -> GraphReader.dot(text(scene.rendered("dot")))),
        Surface.of("Mermaid", scene -> GraphReader.mermaid(text(scene.rendered("mmd")))),
        Surface.of(".llm", scene -> LlmReader.read(text(scene.rendered("llm")))),
        Surface.of("`top`", scene -> TopReader.read(scene.command("top", scene.program().pid()))));
  }

  /** Those of a program that has ended. */
  static List<Surface> ended() {
    List<Surface> all = new ArrayList<>(reports());
    all.add(
        Surface.of("events of Flight Recorder", scene -> RecordingReader.read(recording(scene))));
    all.add(Surface.of("events, by `convert`", Surfaces::converted));
    return all;
  }

  /** The same without a recording. */
  static List<Surface> reports() {
    return List.of(
        Surface.of("text at shutdown", scene -> TextReader.read(text(scene.file("flows.txt")))),
        Surface.of("JSON at shutdown", scene -> JsonReader.read(scene.file("flows.json"))));
  }

  /** The reports of all formats, which the agent wrote when the program ended. */
  static List<Surface> written() {
    List<Surface> all = new ArrayList<>(reports());
    all.add(Surface.of(".otlp at shutdown", scene -> ProfileReader.read(scene.file("flows.otlp"))));
    all.add(Surface.of(".pb.gz at shutdown", scene -> PprofReader.read(scene.file("flows.pb.gz"))));
    all.add(
        Surface.of(
            ".collapsed at shutdown",
            scene -> StackReader.read(text(scene.file("flows.collapsed")))));
    all.add(
        Surface.of(".dot at shutdown", scene -> GraphReader.dot(text(scene.file("flows.dot")))));
    all.add(
        Surface.of(
            ".mmd at shutdown", scene -> GraphReader.mermaid(text(scene.file("flows.mmd")))));
    all.add(Surface.of(".llm at shutdown", scene -> LlmReader.read(text(scene.file("flows.llm")))));
    return all;
  }

  /** The snapshot that was taken when a threshold was passed. */
  static Told alert(Scene scene) throws IOException {
    return JsonReader.read(scene.snapshot("alert-leaked"));
  }

  static Path recording(Scene scene) {
    return scene.directory.resolve("flows.jfr");
  }

  private static Told converted(Scene scene) throws Exception {
    Path file = scene.directory.resolve("converted.otlp");
    scene.command("convert", recording(scene).toString(), "--netty", "-o", file.toString());
    return ProfileReader.read(Files.readAllBytes(file));
  }

  static String text(byte[] bytes) {
    return new String(bytes, StandardCharsets.UTF_8);
  }
}
