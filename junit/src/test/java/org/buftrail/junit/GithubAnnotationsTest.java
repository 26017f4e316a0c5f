package org.buftrail.junit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.buftrail.model.Misuse;
import org.buftrail.model.Site;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class GithubAnnotationsTest {
  private static final String TEST = "com.acme.FooTest.bar(), 100 %";
  private static final Site BAR = new Site("com.acme.FooTest$Part", "bar", "", 48, "");
  private static final Site LIBRARY = new Site("org.lib.Codec", "read", "", 12, "");

  @TempDir private Path workspace;
  private Path module;

  @BeforeEach
  void makeSources() throws IOException {
    module = workspace.resolve("a,module");
    Path folder = Files.createDirectories(module.resolve("src/test/java/com/acme"));
    Files.createFile(folder.resolve("FooTest.java"));
  }

  private GithubAnnotations annotations() {
    return new GithubAnnotations(
        module, Map.of("GITHUB_ACTIONS", "true", "GITHUB_WORKSPACE", workspace.toString()));
  }

  private static Verdict verdict() {
    Leak leak = FakeScope.leak(TEST, true, 1, 9, BAR, LIBRARY);
    Misuse misuse = new Misuse(Misuse.Kind.DOUBLE_RELEASE, LIBRARY, 1, List.of(), List.of());
    return new Verdict(TEST, List.of(leak), List.of(misuse), List.of(), 0);
  }

  @Test
  void aLeakStandsAtTheFirstLineThatIsInTheModule() throws IOException {
    KnownLeaks none = KnownLeaks.read(workspace.resolve("none.txt"), false);
    assertThat(annotations().lines(verdict(), none))
        .containsExactly(
            "\r::error file=a%2Cmodule/src/test/java/com/acme/FooTest.java,line=48,title=Buffer"
                + " leak::com.acme.FooTest.bar(), 100 %25 left 1 buffer, 9 B, direct; last seen at"
                + " org.lib.Codec.read(Codec.java:12)",
            "\r::error title=Buffer misuse::com.acme.FooTest.bar(), 100 %25: double release at"
                + " org.lib.Codec.read(Codec.java:12)");
  }

  @Test
  void aLeakThatWasOnlyReadLastStandsAtWhatHadIt() throws IOException {
    Site check = new Site("com.acme.FooTest", "check", "()V", 90, "").ofReader();
    Leak leak = FakeScope.leak(TEST, true, 1, 9, BAR, check);
    Verdict verdict = new Verdict(TEST, List.of(leak), List.of(), List.of(), 0);
    KnownLeaks none = KnownLeaks.read(workspace.resolve("none.txt"), false);
    assertThat(annotations().lines(verdict, none))
        .singleElement()
        .asString()
        .contains("/FooTest.java,line=48,title=Buffer leak::")
        .endsWith(
            "; last read at com.acme.FooTest.check(FooTest.java:90);"
                + " com.acme.FooTest$Part.bar(FooTest.java:48) had it");
  }

  @Test
  void aKnownLeakWarns() throws IOException {
    Path file = workspace.resolve("known.txt");
    KnownLeaks known = KnownLeaks.read(file, true);
    assertThat(annotations().lines(verdict(), known).get(0)).startsWith("\r::warning file=");
  }

  @Test
  void elsewhereNothingIsPrinted() throws IOException {
    KnownLeaks none = KnownLeaks.read(workspace.resolve("none.txt"), false);
    assertThat(new GithubAnnotations(module, Map.of()).lines(verdict(), none)).isEmpty();
  }
}
