package org.buftrail.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnit;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * What applications compile against is as it was: nothing that {@code api.txt} lists is gone or has
 * another signature. What is new is listed too, so that each promise is made on purpose. See
 * docs/compatibility.md.
 *
 * <p>{@code -Dbuftrail.docs=update} adds to the list what is new. What the list had stays in it,
 * until somebody takes it out by hand and says so in the changelog.
 */
final class PublicApiTest {
  private static final Path LIST = Path.of("src/test/resources/api.txt");

  /** Types of the model, whose other public types are for the runtime and for the agent. */
  private static final Set<String> SINGLE_TYPES =
      Set.of(
          "org.buftrail.model.Figure",
          "org.buftrail.model.FlowMetrics",
          "org.buftrail.model.Leftover",
          "org.buftrail.model.MetricsHandler",
          "org.buftrail.model.MetricsHandlers",
          "org.buftrail.model.Misuse",
          "org.buftrail.model.Path",
          "org.buftrail.model.Site",
          "org.buftrail.model.TrackedResource");

  private static final Set<String> WHOLE_PACKAGES =
      Set.of(
          "org.buftrail.flow",
          "org.buftrail.jfr",
          "org.buftrail.jfr.rows",
          "org.buftrail.junit",
          "org.buftrail.metrics",
          "org.buftrail.profile",
          "org.buftrail.profile.dictionary",
          "org.buftrail.profile.diff",
          "org.buftrail.profile.input",
          "org.buftrail.profile.otlp",
          "org.buftrail.profile.otlp.check",
          "org.buftrail.profile.output",
          "org.buftrail.profile.push",
          "org.buftrail.profile.trie",
          "org.buftrail.spark");

  private static boolean isPromised(JavaClass type) {
    for (JavaClass each = type; ; each = each.getEnclosingClass().get()) {
      if (!each.getModifiers().contains(JavaModifier.PUBLIC)) {
        return false;
      }
      if (each.getEnclosingClass().isEmpty()) {
        return WHOLE_PACKAGES.contains(each.getPackageName())
            || SINGLE_TYPES.contains(each.getName());
      }
    }
  }

  private static boolean isOpen(JavaMember member) {
    Set<JavaModifier> modifiers = member.getModifiers();
    boolean isFinal = member.getOwner().getModifiers().contains(JavaModifier.FINAL);
    return (modifiers.contains(JavaModifier.PUBLIC)
            || (modifiers.contains(JavaModifier.PROTECTED) && !isFinal))
        && !modifiers.contains(JavaModifier.SYNTHETIC);
  }

  private static Set<String> api() {
    Set<String> lines = new TreeSet<>();
    for (JavaClass type : ArchitectureTest.CLASSES) {
      if (!isPromised(type)) {
        continue;
      }
      String name = type.getName();
      lines.add(name);
      type.getRawInterfaces().forEach(each -> lines.add(name + " is " + each.getName()));
      for (JavaField field : type.getFields()) {
        if (isOpen(field)) {
          lines.add(name + " " + field.getRawType().getName() + " " + field.getName());
        }
      }
      for (JavaCodeUnit unit : type.getCodeUnits()) {
        if (isOpen(unit)) {
          lines.add(name + " " + signature(unit));
        }
      }
    }
    return lines;
  }

  private static String signature(JavaCodeUnit unit) {
    boolean isStatic = unit.getModifiers().contains(JavaModifier.STATIC);
    return (isStatic ? "static " : "")
        + unit.getRawReturnType().getName()
        + " "
        + unit.getName()
        + unit.getRawParameterTypes().stream()
            .map(JavaClass::getName)
            .collect(Collectors.joining(", ", "(", ")"));
  }

  @Test
  void whatApplicationsCompileAgainstIsWhatIsPromised() throws IOException {
    Set<String> api = api();
    assertThat(api).hasSizeGreaterThan(200);
    List<String> promised = Files.exists(LIST) ? Files.readAllLines(LIST) : List.of();
    if ("update".equals(System.getProperty("buftrail.docs"))) {
      Set<String> both = new TreeSet<>(promised);
      both.addAll(api);
      Files.write(LIST, both);
      return;
    }
    assertThat(promised).as("what is gone or changed").isSubsetOf(api);
    assertThat(api).as("what is new: -Dbuftrail.docs=update lists it").isSubsetOf(promised);
  }
}
