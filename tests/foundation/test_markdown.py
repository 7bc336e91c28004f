from unflip.foundation.markdown import escape_markdown


def test_signs_that_mean_something_are_escaped_and_others_stay():
    assert escape_markdown("plain text, 50 % (1+1)") == "plain text, 50 % (1+1)"
    assert escape_markdown("a|b") == "a&#124;b"  # a backslash would not keep a table together everywhere
    assert escape_markdown("<b>&$") == "&lt;b&gt;&amp;&#36;"
    assert escape_markdown(r"\*_x_*`#~!") == r"\\\*\_x\_\*\`\#\~\!"
    assert escape_markdown("[x]") == r"\[x\]"
