package org.buftrail.cli.diff;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.buftrail.model.Site;
import org.buftrail.profile.diff.Measure;
import org.buftrail.profile.text.Amounts;
import org.buftrail.profile.text.Printable;

/** How comparisons word their figures. */
final class DiffWording {
  private static final int SHOWN_FRAMES = 4;

  /** The suffix of a return and, where there is one, the line. */
  private static final Pattern RETURN = Pattern.compile(Site.RETURN_SUFFIX + "(:\\d+)?$");

  private static final Pattern LINE = Pattern.compile(":\\d+$");

  private DiffWording() {}

  /** {@code +1.8 KiB}. */
  static String signed(long n, String unit) {
    return (n < 0 ? "-" : "+") + Amounts.of(Math.abs(n), unit);
  }

  static String percent(double percent) {
    return String.format(
        Locale.ROOT, percent == Math.rint(percent) ? "%.0f %%" : "%.1f %%", percent);
  }

  /** {@code +12.5 %}; {@code new} where there was nothing. */
  static String growth(Measure measure) {
    double growth = measure.growthPercent();
    if (Double.isInfinite(growth)) {
      return "all of it, from nothing";
    }
    return Math.abs(growth) < 0.05 ? "±0.0 %" : String.format(Locale.ROOT, "%+.1f %%", growth);
  }

  /** {@code 74 x 0.883 = 65 -> 84 (+28.6 %; sampling error 12)}. */
  static String sums(Measure measure) {
    String unit = measure.unit();
    StringBuilder text = new StringBuilder(Amounts.of(measure.measuredBaseTotal(), unit));
    if (measure.factor() != 1) {
      text.append(String.format(Locale.ROOT, " x %.4g = ", measure.factor()));
      text.append(Amounts.of(measure.baseTotal(), unit));
    }
    text.append(" -> ").append(Amounts.of(measure.nowTotal(), unit));
    if (measure.growthPercent() != 0) {
      text.append("  (").append(growth(measure)).append(error(measure, "; ")).append(')');
    }
    return text.toString();
  }

  /** {@code sampling error 12} after a separator; empty where the sums are exact. */
  static String error(Measure measure, String separator) {
    long error = Math.round(measure.error());
    return error == 0 ? "" : separator + "sampling error " + Amounts.of(error, measure.unit());
  }

  /** {@code 12 stacks differ by no more than one sampling error}. */
  static String leftOut(int stacks) {
    return (stacks == 1 ? "1 stack differs" : Amounts.count(stacks) + " stacks differ")
        + " by no more than one sampling error";
  }

  /** {@code leaked_space}, or {@code cpu: samples}. */
  static String title(Measure measure) {
    String kind = measure.kind();
    boolean said = kind.isEmpty() || measure.type().startsWith(kind);
    return Printable.line(said ? measure.type() : kind + ": " + measure.type());
  }

  /**
   * The last frames, the leaf first: {@code Orders.refuse < Orders.check < ..}. Hops of flows stand
   * without returns that follow their own method.
   */
  static String path(Measure measure, List<String> frames) {
    List<String> rootFirst = measure.isOfFlows() ? withoutReturns(frames) : frames;
    StringBuilder path = new StringBuilder();
    int shown = Math.min(SHOWN_FRAMES, rootFirst.size());
    for (int i = 0; i < shown; i++) {
      path.append(i == 0 ? "" : " < ").append(shortened(rootFirst.get(rootFirst.size() - 1 - i)));
    }
    return path.append(rootFirst.size() > shown ? " < .." : "").toString();
  }

  private static List<String> withoutReturns(List<String> frames) {
    List<String> folded = new ArrayList<>();
    for (int i = 0; i < frames.size(); i++) {
      String name = RETURN.matcher(frames.get(i)).replaceFirst("$1");
      boolean isReturn = name.length() < frames.get(i).length();
      boolean isEnd = i == frames.size() - 1;
      if (!isReturn || isEnd || folded.isEmpty() || !isSame(name, folded.get(folded.size() - 1))) {
        folded.add(name);
      }
    }
    return folded;
  }

  /** Whether two frames are of one method, wherever in it. */
  private static boolean isSame(String frame, String other) {
    return LINE.matcher(frame).replaceFirst("").equals(LINE.matcher(other).replaceFirst(""));
  }

  /** Class and method; what is not printable in ASCII is written as an escape. */
  static String shortened(String frame) {
    String name = Printable.ascii(frame);
    int paren = name.indexOf('(');
    int method = name.lastIndexOf('.', paren < 0 ? name.length() : paren);
    int type = method <= 0 ? -1 : name.lastIndexOf('.', method - 1);
    return name.contains("/") || name.contains("::") ? name : name.substring(type + 1);
  }
}
